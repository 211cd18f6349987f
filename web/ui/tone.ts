/** The colour and the sign of a state. */
export type Tone = 'ok' | 'bad' | 'warn' | 'running' | 'plain'
