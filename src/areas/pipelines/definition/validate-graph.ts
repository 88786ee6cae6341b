import type { FieldError } from '../../../errors.ts'
import type { NodeType, PipelineNode } from '../contract/node-type.ts'
import { type Role, roleOf, typesNamed } from '../nodes/index.ts'

const NODE_ID = /^[A-Za-z][A-Za-z0-9_-]{0,62}$/

type Nodes = readonly PipelineNode[]

/** What is wrong with how nodes are named and connected; messages begin with the node. */
export function graphFaults(nodes: Nodes): FieldError[] {
  const faults = nodes.flatMap((node, i) => [
    ...idFaults(node, i, nodes),
    ...placeFaults(node, i, nodes),
    ...inputFaults(node, i, nodes)
  ])
  const roles = new Set(nodes.flatMap((node) => typeOf(node, nodes)?.role ?? []))
  if (!roles.has('source')) faults.push({ pointer: '/nodes', message: 'there is no source' })
  if (!roles.has('sink')) faults.push({ pointer: '/nodes', message: 'there is no sink' })
  return [...faults, ...cycleFaults(nodes)]
}

/** The type that a node has by its name and place; undefined where there is none. */
function typeOf(node: PipelineNode, nodes: Nodes): NodeType | undefined {
  const role = roleOf(node, nodes)
  return typesNamed(node.type).find((type) => type.role === role)
}

/** What messages call a node. */
export const labelOf = ({ id }: PipelineNode, index: number): string => id.slice(0, 63) || `node ${index}`

function idFaults(node: PipelineNode, index: number, nodes: Nodes): FieldError[] {
  const pointer = `/nodes/${index}/id`
  const label = labelOf(node, index)
  if (!NODE_ID.test(node.id)) {
    return [{ pointer, message: `${label}: must be a letter, then up to 62 letters, digits, _ and -` }]
  }
  const other = nodes.slice(0, index).find(({ id }) => id.toLowerCase() === node.id.toLowerCase())
  if (other === undefined) return []
  // SQL knows nodes as tables, whose names are alike in upper and lower case.
  const message = other.id === node.id ? 'is the id of another node' : `is ${other.id} in other letters only`
  return [{ pointer, message: `${label}: ${message}` }]
}

function placeFaults(node: PipelineNode, index: number, nodes: Nodes): FieldError[] {
  const label = labelOf(node, index)
  const named = typesNamed(node.type)
  if (named.length === 0) {
    const message = `${label}: there is no type ${node.type.slice(0, 63)}; GET /api/pipelines/node-types lists them`
    return [{ pointer: `/nodes/${index}/type`, message }]
  }
  const isRead = nodes.some(({ id, inputs }) => id !== node.id && inputs.includes(node.id))
  const type = typeOf(node, nodes)
  if (type === undefined) return [misplaced(node, index, new Set(named.map(({ role }) => role)), nodes)]
  if (type.role === 'source' && !isRead) {
    return [{ pointer: `/nodes/${index}`, message: `${label}: no node takes the output of ${type.type}` }]
  }
  const { min, max } = type.inputs
  const count = node.inputs.length
  if (count >= min && count <= max) return []
  const wanted = min === max ? `${min}` : `${min} to ${max}`
  const message = `${label}: ${type.type} takes ${wanted} ${max === 1 ? 'input' : 'inputs'}, not ${count}`
  return [{ pointer: `/nodes/${index}/inputs`, message }]
}

function misplaced(node: PipelineNode, index: number, roles: ReadonlySet<Role>, nodes: Nodes): FieldError {
  const label = `${labelOf(node, index)}: ${node.type}`
  const inputs = `/nodes/${index}/inputs`
  if (node.inputs.length === 0) return { pointer: inputs, message: `${label} needs an input` }
  const isOnlySource = roles.size === 1 && roles.has('source')
  if (isOnlySource) return { pointer: inputs, message: `${label} takes no inputs` }
  const reader = nodes.find((other) => other.inputs.includes(node.id))
  if (reader === undefined) {
    const message = `${labelOf(node, index)}: no node takes the output of ${node.type}`
    return { pointer: `/nodes/${index}`, message }
  }
  const message = roles.has('sink')
    ? `${label} writes records out, so ${reader.id.slice(0, 63)} can't have it as input`
    : `${label} takes no inputs`
  return { pointer: `/nodes/${index}/type`, message }
}

function inputFaults(node: PipelineNode, index: number, nodes: Nodes): FieldError[] {
  const label = labelOf(node, index)
  const ids = new Set(nodes.map(({ id }) => id))
  return node.inputs.flatMap((input, i) => {
    const pointer = `/nodes/${index}/inputs/${i}`
    const name = input.slice(0, 63)
    if (!ids.has(input)) return [{ pointer, message: `${label}: there is no node ${name}` }]
    if (input === node.id) return [{ pointer, message: `${label}: can't be an input of itself` }]
    if (node.inputs.indexOf(input) < i) return [{ pointer, message: `${label}: has ${name} as input twice` }]
    return []
  })
}

/** One fault for each cycle, told at the first of its nodes. */
function cycleFaults(nodes: Nodes): FieldError[] {
  const faults: FieldError[] = []
  let left = nodes
  for (;;) {
    const cycle = findCycle(left)
    if (cycle === undefined) return faults
    const places = cycle.map((node) => nodes.indexOf(node))
    const first = Math.min(...places)
    const names = cycle.map((node) => node.id.slice(0, 63))
    const message = `${labelOf(nodes[first] as PipelineNode, first)}: is in a cycle: ${[...names, names[0]].join(' → ')}`
    faults.push({ pointer: `/nodes/${first}/inputs`, message })
    left = left.filter((node) => !cycle.includes(node))
  }
}

/** Nodes each of which is an input of the next, and the last one of the first. */
function findCycle(nodes: Nodes): PipelineNode[] | undefined {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const done = new Set<PipelineNode>()
  const visit = (node: PipelineNode, path: readonly PipelineNode[]): PipelineNode[] | undefined => {
    if (path.includes(node)) return path.slice(path.indexOf(node)).toReversed()
    if (done.has(node)) return undefined
    for (const input of node.inputs) {
      const next = input === node.id ? undefined : byId.get(input)
      const cycle = next && visit(next, [...path, node])
      if (cycle !== undefined) return cycle
    }
    done.add(node)
    return undefined
  }
  for (const node of nodes) {
    const cycle = visit(node, [])
    if (cycle !== undefined) return cycle
  }
  return undefined
}
