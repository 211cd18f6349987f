/** The cause of test deliveries, where others have a backfill. */
export const TEST_SENDING = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
