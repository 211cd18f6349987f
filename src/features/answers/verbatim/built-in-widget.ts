/** The newest texts on the first dashboard. The console compares the dashboard with it, so it is data alone. */
export const LATEST_TEXTS = { title: 'Latest comments', w: 12, h: 5, limit: 5 }
