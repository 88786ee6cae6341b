/** Which files a stream has: `exports/*.csv`. `*` and `?` stand for letters of one name, `**` for any folders. */
export interface Pattern {
  readonly text: string
  readonly segments: readonly string[]
  /** What every path that fits begins with. */
  readonly prefix: string
  matches(path: string): boolean
}

export function parsePattern(text: string): Pattern {
  const segments = text.split('/')
  const form = new RegExp(`^${segments.map(segmentForm).join('')}$`, 'su')
  const [literal = ''] = /^[^*?]*/.exec(text) ?? []
  return { text, segments, prefix: literal, matches: (path) => form.test(path) }
}

export const isWild = (segment: string): boolean => /[*?]/.test(segment)

/** Whether a name fits one segment of a pattern. */
export function fitsSegment(name: string, segment: string): boolean {
  return isWild(segment) ? new RegExp(`^${nameForm(segment)}$`, 'su').test(name) : name === segment
}

function segmentForm(segment: string, at: number, { length }: readonly string[]): string {
  const isLast = at === length - 1
  if (segment === '**') return isLast ? '.*' : '(?:[^/]+/)*'
  return isLast ? nameForm(segment) : `${nameForm(segment)}/`
}

/** Stars next to each other are one: each more would be tried at every letter. */
function nameForm(segment: string): string {
  const forms = segment.replaceAll(/\*+/g, '*').match(/[*?]|[^*?]+/g) ?? []
  return forms.map((form) => (form === '*' ? '[^/]*' : form === '?' ? '[^/]' : RegExp.escape(form))).join('')
}
