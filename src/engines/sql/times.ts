const TIME = /^(\d{4,}-\d\d-\d\d \d\d:\d\d:\d\d)(?:\.(\d+))?(?:\+00(?::00)?)?$/

/** A time that a database printed in UTC, with at least six digits of a second; texts of another form are unchanged. */
export function toTimestampText(text: string): string {
  const [, whole, fraction = ''] = TIME.exec(text) ?? []
  return whole === undefined ? text : `${whole}.${fraction.padEnd(6, '0')}`
}
