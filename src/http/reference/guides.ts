/** The guides that a reader needs before the first call. The texts are our HTML. */
export const GUIDES: Array<{ id: string; title: string; text: string }> = [
  {
    id: 'start',
    title: 'Start',
    text: `<p>Every call below <code>/v1</code> carries a session token or an API key in <code>Authorization: Bearer …</code>. Make a workspace with <a href="#createWorkspace"><code>POST /public/workspaces</code></a> and use the token of its answer, or make a key with <a href="#createApiKey"><code>POST /v1/api-keys</code></a>.</p>
<p>Paste a token above to try calls from this page. It stays in this tab, and is forgotten when you close it.</p>`,
  },
  {
    id: 'errors',
    title: 'Errors',
    text: `<p>An error is <code>application/problem+json</code> (RFC 9457) with <code>code</code>, <code>detail</code> and <code>request_id</code>. 400 means that the request does not fit the schema, 422 that it fits but breaks a rule: both list <code>issues</code> with a <code>path</code> and a <code>message</code>. 403 names the missing <code>permission</code>. Another workspace's id answers 404, like one that does not exist.</p>`,
  },
  {
    id: 'lists',
    title: 'Lists',
    text: `<p>A list answers <code>{"data": […], "next_cursor": …}</code>, newest first. Send <code>next_cursor</code> as <code>cursor</code> to get the next page. <code>limit</code> is 1 to 500. A cursor belongs to its sort, filter and search. Pages stay stable while rows are added.</p>`,
  },
  {
    id: 'retries',
    title: 'Safe retries',
    text: `<p>Send an <code>Idempotency-Key</code> with a <code>POST</code> that creates or sends something. A retry with the same key and body gets the first success again for 24 hours, with <code>Idempotency-Replayed: true</code>. A refusal is not kept, so a corrected request may use the key again. Another body under a key that has succeeded is 409.</p>`,
  },
  {
    id: 'limits',
    title: 'Limits',
    text: `<p>An API key may make 600 calls a minute. <code>RateLimit-Remaining</code> shows what is left, and a 429 says in <code>Retry-After</code> how many seconds to wait. A body has at most 1 MiB, invitations and imports 10 MiB.</p>`,
  },
  {
    id: 'verify',
    title: 'Verify a webhook',
    text: `<p>A delivery carries <code>X-VOC-Timestamp</code> and <code>X-VOC-Signature: v1=…</code>, an HMAC-SHA256 with the secret of the webhook over <code>timestamp.body</code>. It also carries <code>webhook-id</code>, <code>webhook-timestamp</code> and <code>webhook-signature</code>, so that the libraries of Standard Webhooks and Svix verify it. Compare in constant time, and refuse a timestamp that is older than five minutes.</p>`,
  },
]
