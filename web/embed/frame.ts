import { forget } from '../ui/storage.ts'

// Informs the website that framed this page when the survey may open. The website's origin stands in the fragment.
const fragment = new URLSearchParams(location.hash.slice(1))
const origin = fragment.get('voc')
const rules = document.querySelector('#rules')?.textContent
// The website's person has left: unfinished answers of any survey go too.
if (fragment.has('forget') && parent !== window) forget()
else if (origin && rules && parent !== window) parent.postMessage({ voc: 'rules', rules: JSON.parse(rules) }, origin)
