import type { StreamChangesChunk } from '../../../../engines/drivers/index.ts'
import type { SourceContext } from '../../contract/source.ts'

type Columns = StreamChangesChunk['columns']

/** Tells what people should know of the columns of changes. */
export class ColumnNews {
  readonly #log: SourceContext<unknown>['log']
  #last: Columns | undefined
  #hasToldUnsent = false

  constructor({ log }: Pick<SourceContext<unknown>, 'log'>) {
    this.#log = log
  }

  see({ columns, values }: StreamChangesChunk): void {
    const difference = this.#last === undefined ? '' : differenceOf(this.#last, columns)
    if (difference !== '') this.#log('warn', `The columns have changed: ${difference}`)
    this.#last = columns
    if (this.#hasToldUnsent) return
    const unsent = values[columns.findIndex(({ name }) => name === '_unchanged')]?.find((one) => one !== null)
    if (unsent === undefined) return
    this.#hasToldUnsent = true
    const advice = 'ALTER TABLE … REPLICA IDENTITY FULL makes it send them'
    this.#log('warn', `The server leaves out large values that did not change (${unsent}): they are null; ${advice}`)
  }
}

function differenceOf(before: Columns, after: Columns): string {
  const types = new Map(before.map(({ name, type }) => [name, type]))
  const names = new Set(after.map(({ name }) => name))
  return [
    ...after.flatMap(({ name, type }) => {
      const known = types.get(name)
      if (known === undefined) return [`${name} (${type}) is new`]
      return known === type ? [] : [`${name} was ${known} and is ${type}`]
    }),
    ...before.flatMap(({ name }) => (names.has(name) ? [] : [`${name} is gone`]))
  ].join(', ')
}
