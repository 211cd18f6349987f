// Tells the website that framed this page when the survey may open. The website's origin stands in the fragment.
const origin = new URLSearchParams(location.hash.slice(1)).get('voc')
const rules = document.querySelector('#rules')?.textContent
if (origin && rules && parent !== window) parent.postMessage({ voc: 'rules', rules: JSON.parse(rules) }, origin)
