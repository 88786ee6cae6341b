export const KINDS = [
  'email',
  'phone',
  'payment-card',
  'iban',
  'national-id',
  'person-name',
  'postal-address',
  'birth-date',
  'ip-address',
  'mac-address',
  'coordinates',
  'secret'
] as const
export type Kind = (typeof KINDS)[number]
