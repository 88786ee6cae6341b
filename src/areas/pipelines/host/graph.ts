import type { PipelineNode } from '../contract/node-type.ts'

/** Every node after all its inputs; undefined where there is a cycle. Inputs that are no nodes are passed over. */
export function inOrder<N extends Pick<PipelineNode, 'id' | 'inputs'>>(nodes: readonly N[]): N[] | undefined {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const waitsFor = new Map(nodes.map(({ id, inputs }) => [id, new Set(inputs.filter((input) => byId.has(input)))]))
  const ordered: N[] = []
  const free = nodes.filter(({ id }) => waitsFor.get(id)?.size === 0)
  for (let node = free.shift(); node !== undefined; node = free.shift()) {
    ordered.push(node)
    for (const other of nodes) {
      const left = waitsFor.get(other.id)
      if (left?.delete(node.id) && left.size === 0) free.push(other)
    }
  }
  return ordered.length === nodes.length ? ordered : undefined
}
