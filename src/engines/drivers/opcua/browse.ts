import type { ColumnType } from '../index.ts'
import { fromStatus, isGood } from './errors.ts'
import type { UaBrowsed, UaReference } from './library.ts'
import type { Connection } from './session.ts'
import { columnTypeOf } from './values.ts'

/** A value that a server has. */
export interface Variable {
  /** Its node, such as `ns=2;s=Temperature`. */
  readonly node: string
  /** The names that lead to it from the root, such as `Line1/Press/Temperature`. */
  readonly path: string
}

export interface DescribedVariable extends Variable {
  readonly type: ColumnType
  readonly isReadable: boolean
  readonly hasHistory: boolean
}

const [OBJECT, VARIABLE] = [1, 2]
const FORWARD = 0
const ALL_OF_A_REFERENCE = 63
const HIERARCHICAL = 'i=33'
/** References to what describes a node, and not to what it has. */
const ASIDE = new Set(['ns=0;i=46', 'ns=0;i=56'])
/** The server’s own condition. */
const SERVER = 'ns=0;i=2253'
const [CURRENT_READ, HISTORY_READ] = [1, 4]
const NODES_AT_ONCE = 100
/** Nodes that are looked at, in a space that may have no end. */
const MAX_NODES = 100_000

/** The variables below a node, the nearest first; the first `limit`, and whether there are no more. */
export async function findVariables(connection: Connection, root: string, limit: number) {
  const found = new Map<string, Variable>()
  const seen = new Set<string>([root])
  let level: Variable[] = [{ node: root, path: '' }]
  while (level.length > 0) {
    const next: Variable[] = []
    for (let at = 0; at < level.length; at += NODES_AT_ONCE) {
      for (const { isVariable, ...child } of await childrenOf(connection, level.slice(at, at + NODES_AT_ONCE))) {
        if (seen.has(child.node)) continue
        seen.add(child.node)
        next.push(child)
        if (isVariable) found.set(child.node, child)
        if (found.size > limit || seen.size > MAX_NODES)
          return { variables: [...found.values()].slice(0, limit), isWhole: false }
      }
    }
    level = next
  }
  return { variables: [...found.values()], isWhole: true }
}

interface Child extends Variable {
  readonly isVariable: boolean
}

async function childrenOf(connection: Connection, parents: readonly Variable[]): Promise<Child[]> {
  const what = parents.map(({ node }) => ({
    nodeId: node,
    browseDirection: FORWARD,
    referenceTypeId: HIERARCHICAL,
    includeSubtypes: true,
    nodeClassMask: OBJECT | VARIABLE,
    resultMask: ALL_OF_A_REFERENCE
  }))
  const answers = await connection.ask((session) => session.browse(what))
  const children: Child[] = []
  for (const [at, answer] of answers.entries()) {
    const parent = parents[at] as Variable
    if (!isGood(answer.statusCode) && parent.path === '') throw fromStatus(answer.statusCode, parent.node)
    for await (const references of pagesOf(connection, answer))
      children.push(...references.filter(isOfInterest).map((reference) => toChild(reference, parent)))
  }
  return children
}

async function* pagesOf(connection: Connection, first: UaBrowsed): AsyncGenerator<readonly UaReference[]> {
  let answer = first
  for (;;) {
    yield answer.references ?? []
    const { continuationPoint } = answer
    if (continuationPoint === null || continuationPoint === undefined || continuationPoint.length === 0) return
    answer = await connection.ask((session) => session.browseNext(continuationPoint, false))
  }
}

const isOfInterest = ({ referenceTypeId, nodeId }: UaReference) =>
  !ASIDE.has(String(referenceTypeId)) && String(nodeId) !== SERVER

const toChild = ({ nodeId, browseName, nodeClass }: UaReference, { path }: Variable): Child => ({
  node: String(nodeId),
  path: `${path === '' ? '' : `${path}/`}${browseName.name ?? ''}`,
  isVariable: nodeClass === VARIABLE
})

/** What columns the variables have, and how they can be read; undefined for those that are not there. */
export async function describeVariables(
  connection: Connection,
  variables: readonly Variable[]
): Promise<(DescribedVariable | undefined)[]> {
  const { AttributeIds } = connection.library.ua
  const attributes = [AttributeIds.DataType, AttributeIds.ValueRank, AttributeIds.UserAccessLevel]
  const described: (DescribedVariable | undefined)[] = []
  for (let at = 0; at < variables.length; at += NODES_AT_ONCE) {
    const some = variables.slice(at, at + NODES_AT_ONCE)
    const what = some.flatMap(({ node }) => attributes.map((attributeId) => ({ nodeId: node, attributeId })))
    const answers = await connection.ask((session) => session.read(what))
    for (const [n, variable] of some.entries()) {
      const [dataType, valueRank, access] = answers.slice(n * attributes.length, (n + 1) * attributes.length)
      const level = Number(access?.value?.value ?? 0)
      const isThere = dataType !== undefined && isGood(dataType.statusCode)
      described.push(
        isThere
          ? {
              ...variable,
              type: columnTypeOf(dataType.value?.value, valueRank?.value?.value),
              isReadable: (level & CURRENT_READ) !== 0,
              hasHistory: (level & HISTORY_READ) !== 0
            }
          : undefined
      )
    }
  }
  return described
}
