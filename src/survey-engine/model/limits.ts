/** Ceilings on what a definition and an answer may hold. Lengths are in UTF-16 units. */
export const LIMITS = {
  questions: 200,
  rules: 500,
  actionsPerRule: 50,
  conditionDepth: 10,
  conditionLeaves: 100,
  // In all conditions together, and those by `contains` with a text among them.
  comparisons: 10_000,
  textSearches: 5_000,
  choices: 200,
  // Each pair of a row and a column, and of a choice and its place, is a control of a page.
  matrixCells: 2_500,
  rankedChoices: 50,
  // Their order is kept with each response.
  shuffledLines: 2_000,
  // A report has a line for each place of a slider.
  sliderSteps: 1_000,
  sliderDecimals: 3,
  sliderEnd: 1_000_000_000,
  controls: 50_000,
  endings: 50,
  quotas: 100,
  customFields: 100,
  variables: 100,
  languages: 50,
  textLength: 10_000,
  messageLength: 500,
  openTextDefault: 5_000,
  openTextMost: 50_000,
  otherLength: 1_000,
  contactFieldLength: 320,
  customValueLength: 1_000,
  urlLength: 2_048,
  redirectLength: 2_000,
  // Characters that `contains` and its like compare of an answer.
  comparedLength: 1_000,
  placeholders: 50,
  pipedLength: 1_000,
  // Characters that placeholders add to all texts of one page or message.
  pipedInAll: 262_144,
  pipedInAddress: 200,
  issues: 100,
  targetingEntries: 50,
  targetingDelayMs: 3_600_000,
  recontactDays: 3_650,
  // A pattern with many stars takes long to compare.
  urlStars: 10,
} as const

/** The most characters that one SMS may hold, however many segments it takes (Twilio, error 21617). */
export const LONGEST_SMS = 1_600
