/** Whether days and hours can be told in this IANA time zone. An offset such as +02:00 ignores daylight saving time. */
export function isTimezone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
