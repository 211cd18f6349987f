/**
 * Names that the list of the runtime leaves out: links of the IANA database, in its letter case, which people still use.
 */
const LINKS = `

`
