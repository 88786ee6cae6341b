/** What a value in a template can go through: pure, and total. */
export type TemplateFunction = (value: unknown, argument: string | undefined) => unknown

const onText =
  (change: (text: string, argument: string | undefined) => string): TemplateFunction =>
  (value, argument) =>
    value === undefined || value === null || typeof value === 'object' ? value : change(String(value), argument)

/** The text of a value; none of objects, whose own `toString` could be anything. */
export const plainText = (value: unknown): string =>
  value === undefined || value === null || typeof value === 'object' ? '' : String(value)

/** As part of an address: half a sign of two halves has no such form and becomes `\ufffd`. */
export const encoded = (text: string): string => encodeURIComponent(text.toWellFormed())

export const FUNCTIONS: ReadonlyMap<string, TemplateFunction> = new Map<string, TemplateFunction>([
  ['base64', onText((text) => Buffer.from(text).toString('base64'))],
  ['lower', onText((text) => text.toLowerCase())],
  ['upper', onText((text) => text.toUpperCase())],
  ['trim', onText((text) => text.trim())],
  ['encode', onText(encoded)],
  /** An address without its scheme and what follows the host. */
  [
    'host',
    onText((text) =>
      text
        .trim()
        .replace(/^[a-z]+:\/\//i, '')
        .replace(/\/.*$/, '')
    )
  ],
  ['default', (value, argument) => (value === undefined || value === null || value === '' ? argument : value)],
  ['join', (value, argument = ',') => (Array.isArray(value) ? value.map(plainText).join(argument) : value)]
])
