/** The way an invitation reaches a person. */
export type Channel = 'email' | 'sms' | 'voice'
