/** A due time as names hold it: `20260302T040000Z`, with milliseconds only where there are any. They sort by time. */
export function dueText(dueAt: string): string {
  return new Date(dueAt).toISOString().replace('.000', '').replaceAll(/[-:]/g, '')
}

/** What `dueText` answers. */
export const DUE_TEXT = /^\d{8}T\d{6}(\.\d{3})?Z$/
