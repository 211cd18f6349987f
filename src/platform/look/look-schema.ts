import { z } from 'zod'

const Address = z
  .url({ protocol: /^https?$/, error: 'Use an http(s) URL, such as https://example.com/logo.png.' })
  .max(2000)
  .nullable()
const Color = (example: string) =>
  z
    .string()
    .regex(/^#[0-9A-Fa-f]{6}$/, `Use a colour such as ${example}.`)
    .nullable()

/** The look of a page, all of it. A workspace has each member, and a survey those that differ. */
export const lookShape = {
  logo_url: Address.describe('The `url` of an asset. Any other picture is fetched once and becomes an asset.'),
  color: Color('#0f766e').describe('The accent. It becomes darker or lighter where it would be hard to see.'),
  background: Color('#fff7ed').describe(
    'The background of the respondent page, light or dark enough to read on. A light one is for light ' +
      'screens, a dark one for all. Null means the built-in one.',
  ),
  corners: z.enum(['square', 'rounded', 'round']).describe('The corners of answers, fields and buttons on the page.'),
  layout: z
    .enum(['plain', 'card', 'split'])
    .describe(
      '`plain`: a column on the background. `card`: a card on the cover or the background. `split`: the cover, or a ' +
        'field of the accent, beside the column. Phones show the column alone, with the cover on top.',
    ),
  cover_url: Address.describe('A picture, as `logo_url`. It decorates: nothing may depend on seeing it.'),
  font: z
    .enum(['system', 'serif', 'inter', 'nunito', 'literata'])
    .describe(
      '`system` and `serif` are fonts of the device. The others come from this server, for Latin letters, and make ' +
        'the page 21 to 32 KB heavier.',
    ),
}

/** The members of the look that a survey sets. */
export const ThemeBody = z.strictObject(lookShape).partial().meta({
  id: 'SurveyTheme',
  description: 'The look of one survey. Members that are left out are those of the workspace’s `branding`.',
})

/** The look without a workspace's wishes. */
export const OUR_LOOK = {
  logo_url: null,
  color: null,
  background: null,
  corners: 'rounded',
  layout: 'plain',
  cover_url: null,
  font: 'system',
} as const satisfies Required<z.output<typeof ThemeBody>>
