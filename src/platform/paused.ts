/** Why something that runs by itself pauses: its maker has left the workspace, or lacks a permission that it takes. */
export type PausedReason = 'maker_left' | 'maker_not_permitted'
