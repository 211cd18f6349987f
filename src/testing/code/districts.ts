/**
 * The floors of `src/features/`, from the top: a district imports itself and those before it. docs/architecture.md,
 * "Districts", names the features of each.
 */
export const DISTRICTS = [
  'access',
  'trust',
  'surveys',
  'delivery',
  'answers',
  'outreach',
  'programme',
  'exports',
  'operations',
]
