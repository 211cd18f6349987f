/** The words for what separates the cells of a CSV. Rows of the database keep the sign. */
export const SIGNS = { comma: ',', semicolon: ';', tab: '\t', pipe: '|' } as const

export const DELIMITERS = ['comma', 'semicolon', 'tab', 'pipe'] as const

export const WORDS = { ',': 'comma', ';': 'semicolon', '\t': 'tab', '|': 'pipe' } as const
