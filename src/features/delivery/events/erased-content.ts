/** The content of an event without what respondents said and members noted. Its schema still allows it. */
export const ERASED = `(data::jsonb || '{"score": null, "answers": [], "text": [], "customData": {}}'::jsonb
  || case when data::jsonb ? 'tags' then '{"tags": []}'::jsonb else '{}'::jsonb end)`
