/**
 * The floors of `src/features/`, from the top: a district imports itself and those before it. `trust`, `programme` and
 * `exports` are reserved.
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
