import { parseNode } from '../references.ts'
import { type Field, Quota } from './field.ts'
import { MAX_COLUMNS, MAX_DATASETS, MAX_MAPPINGS } from './limits.ts'
import { dataReferenceOf, jobReferenceOf, type Naming, type OutsideName } from './naming.ts'

/** What holds for a whole event while it is read. */
export class Scope {
  readonly datasets = new Quota(MAX_DATASETS, 'inputs and outputs')
  readonly mappings = new Quota(MAX_MAPPINGS, 'mappings of columns')
  readonly columns = new Quota(MAX_COLUMNS, 'columns')
  readonly timeMs: number
  readonly #naming: Naming
  /** The columns of an output name the same few data again and again. */
  readonly #references = new Map<string, string>()

  constructor(naming: Naming, timeMs: number) {
    this.#naming = naming
    this.timeMs = timeMs
  }

  /** The reference of what `namespace` and `name` of this field name. */
  dataAt(field: Field): string {
    const { namespace, name } = namesAt(field)
    const key = `${namespace}\0${name}`
    const known = this.#references.get(key)
    if (known !== undefined) return known
    const reference = bounded(field, dataReferenceOf({ namespace, name }, this.#naming))
    this.#references.set(key, reference)
    return reference
  }
}

export function jobAt(field: Field): string {
  return bounded(field, jobReferenceOf(namesAt(field)))
}

function namesAt(field: Field): OutsideName {
  return { namespace: field.required('namespace').name(), name: field.required('name').name() }
}

function bounded(field: Field, reference: string): string {
  const node = parseNode(reference)
  return 'problem' in node
    ? field.fail(`has names whose reference (${reference.slice(0, 40)}…) ${node.problem}`)
    : reference
}
