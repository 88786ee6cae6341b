import { NAMES, OPEN_NAMES } from './data.ts'
import { type Argument, FILTERS } from './filters.ts'

export interface TemplateFault {
  /** Both from 1. */
  readonly line: number
  readonly column: number
  readonly message: string
}

export class TemplateProblem extends Error {
  readonly faults: readonly TemplateFault[]

  constructor(faults: readonly TemplateFault[]) {
    super(faults.map(({ line, column, message }) => `Line ${line}, column ${column}: ${message}`).join('; '))
    this.faults = faults
  }
}

export type TemplateNode =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'value'; readonly name: string; readonly filters: readonly AppliedFilter[] }
  | { readonly kind: 'section'; readonly name: string; readonly isInverted: boolean; readonly body: TemplateNode[] }

export interface AppliedFilter {
  readonly name: string
  readonly argument: Argument
}

const MAX_TEMPLATE = 8192
const MAX_DEPTH = 8
const MAX_FAULTS = 10
const MAX_FILTERS = 4

const TAG = /^\s*([#^/]?)\s*([A-Za-z_][\w.-]*)\s*([\s\S]*)$/
const FILTER = /\|\s*([A-Za-z]+)\s*(?::\s*(?:'([^']*)'|(\d{1,4})))?\s*/y

/** All that is wrong with a template; none where it can be rendered. */
export function checkTemplate(template: string): TemplateFault[] {
  return new Parser(template).faults
}

export function parseTemplate(template: string): readonly TemplateNode[] {
  const { faults, nodes } = new Parser(template)
  if (faults.length > 0) throw new TemplateProblem(faults)
  return nodes
}

class Parser {
  readonly nodes: TemplateNode[] = []
  readonly faults: TemplateFault[] = []
  readonly #template: string
  /** The sections that are open, the innermost last. */
  readonly #open: { name: string; at: number; body: TemplateNode[] }[] = []

  constructor(template: string) {
    this.#template = template
    if (template.length > MAX_TEMPLATE) this.#fault(MAX_TEMPLATE, `a template has at most ${MAX_TEMPLATE} characters`)
    else this.#read()
  }

  #read(): void {
    let at = 0
    while (this.faults.length < MAX_FAULTS) {
      const start = this.#template.indexOf('{{', at)
      this.#text(this.#template.slice(at, start === -1 ? undefined : start))
      if (start === -1) break
      const end = this.#template.indexOf('}}', start)
      if (end === -1) {
        this.#fault(start, 'this {{ has no }}')
        break
      }
      this.#tag(this.#template.slice(start + 2, end), start)
      at = this.#afterTag(start, end + 2)
    }
    for (const { name, at } of this.#open) this.#fault(at, `this section has no {{/${name}}}`)
  }

  /** A tag of a section that stands alone in its line takes the line with it. */
  #afterTag(start: number, end: number): number {
    const isAlone = (start === 0 || this.#template[start - 1] === '\n') && this.#template[end] === '\n'
    return isAlone && /^\{\{\s*[#^/]/.test(this.#template.slice(start, end)) ? end + 1 : end
  }

  #text(text: string): void {
    if (text !== '') this.#body().push({ kind: 'text', text })
  }

  #tag(content: string, at: number): void {
    const [, mark, name = '', rest = ''] = TAG.exec(content) ?? []
    if (mark === undefined) this.#fault(at, 'write {{ name }}, {{ name | filter }} or {{#name}} here')
    else if (mark === '/') this.#close(name, rest, at)
    else {
      this.#checkName(name, mark, at)
      if (mark !== '') this.#section(name, mark === '^', rest, at)
      else this.#body().push({ kind: 'value', name, filters: this.#filters(rest, at) })
    }
  }

  #section(name: string, isInverted: boolean, rest: string, at: number): void {
    if (rest !== '') this.#fault(at, 'a section has only a name')
    if (this.#open.length >= MAX_DEPTH) this.#fault(at, `sections stand in one another at most ${MAX_DEPTH} deep`)
    const body: TemplateNode[] = []
    this.#body().push({ kind: 'section', name, isInverted, body })
    this.#open.push({ name, at, body })
  }

  #close(name: string, rest: string, at: number): void {
    const last = this.#open.pop()
    if (last === undefined) this.#fault(at, 'there is no section to end here')
    else if (last.name !== name || rest !== '') this.#fault(at, `this has to be {{/${last.name}}}`)
  }

  #filters(text: string, at: number): AppliedFilter[] {
    const filters: AppliedFilter[] = []
    FILTER.lastIndex = 0
    for (let end = 0; end < text.length; end = FILTER.lastIndex) {
      const [, name = '', quoted, digits] = FILTER.exec(text) ?? []
      const argument = quoted ?? (digits === undefined ? undefined : Number(digits))
      const filter = FILTERS.get(name)
      if (name === '' || filters.length === MAX_FILTERS) {
        const message = "after a name stands | filter, | filter: 2 or | filter: 'text'"
        this.#fault(at, name === '' ? message : `a name has at most ${MAX_FILTERS} filters`)
        break
      }
      const fault =
        filter === undefined ? `is not known; there are ${[...FILTERS.keys()].join(', ')}` : filter.fault(argument)
      if (fault !== undefined) this.#fault(at, `the filter ${name} ${fault}`)
      filters.push({ name, argument })
    }
    return filters
  }

  #checkName(name: string, mark: string, at: number): void {
    if (name === 'alerts') {
      if (mark === '') this.#fault(at, 'alerts is a list: write {{#alerts}}…{{/alerts}}')
      else if (this.#open.some((section) => section.name === 'alerts')) this.#fault(at, 'alerts is open already')
      return
    }
    const dot = name.indexOf('.')
    if (NAMES.has(name) || (dot > 0 && dot < name.length - 1 && OPEN_NAMES.has(name.slice(0, dot)))) return
    const known = [...NAMES, 'alerts', ...[...OPEN_NAMES].map((open) => `${open}.<name>`)]
    this.#fault(at, `there is no ${name}; there are ${known.join(', ')}`)
  }

  #body(): TemplateNode[] {
    return this.#open.at(-1)?.body ?? this.nodes
  }

  #fault(at: number, message: string): void {
    const before = this.#template.slice(0, at).split('\n')
    this.faults.push({ line: before.length, column: (before.at(-1) ?? '').length + 1, message })
  }
}
