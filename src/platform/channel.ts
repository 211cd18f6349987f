/** By what an invitation reaches a person. */
export type Channel = 'email' | 'sms' | 'voice'
