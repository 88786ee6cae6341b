import type { KnownColumn } from './candidate.ts'

/** Texts that people write where there is no value. */
const TEXTS = /^(?:\s*|#?n[./]?[av]\.?|null|nil|none|nan|unknown|undefined|missing|tbd|[-–—_.?*]+)$/iu
/** The forms of those that are more than a word, such as `n/a` and `#N/A`. */
const FORMS = /^(?:#?(?:a[./]a|A[./]A)\.?|[-_.?*]+)$/

/** Whether some values of a column stand for none, as far as the most frequent ones and the shortest tell. */
export const hasPlaceholders = ({ top, lengths, patterns }: KnownColumn): boolean =>
  lengths?.min === 0 ||
  top.some(({ value }) => typeof value === 'string' && TEXTS.test(value)) ||
  patterns.some(({ pattern }) => FORMS.test(pattern))
