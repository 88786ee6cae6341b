import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { within } from '../../../../test/support/yardstick.ts'
import type { FieldError } from '../../../errors.ts'
import type { PipelineNode } from '../contract/node-type.ts'
import { configFaults } from './validate-config.ts'
import { graphFaults } from './validate-graph.ts'

type Nodes = readonly PipelineNode[]

const generate = (id: string): PipelineNode => ({ id, type: 'generate', config: { fields: { n: 'n' } }, inputs: [] })
const filter = (id: string, ...inputs: string[]): PipelineNode => {
  return { id, type: 'filter', config: { where: 'n > 1' }, inputs }
}
const sql = (id: string, ...inputs: string[]): PipelineNode => {
  return { id, type: 'sql', config: { query: 'SELECT 1' }, inputs }
}
const objects = (id: string, ...inputs: string[]): PipelineNode => {
  return { id, type: 'object', config: { bucket: 'out', prefix: 'x/', format: 'csv' }, inputs }
}

const faultsOf = (nodes: Nodes): FieldError[] => [...graphFaults(nodes), ...configFaults(nodes)]

/** Pipelines that are right, in any order: some sources, transforms after whatever came before, a sink after each loose end. */
const pipelines: fc.Arbitrary<Nodes> = fc
  .record({
    sources: fc.integer({ min: 1, max: 4 }),
    transforms: fc.array(fc.array(fc.nat(), { minLength: 1, maxLength: 3 }), { maxLength: 12 }),
    seed: fc.infiniteStream(fc.nat())
  })
  .map(({ sources, transforms, seed }) => {
    const nodes = Array.from({ length: sources }, (_, i) => generate(`g${i}`))
    for (const [i, picks] of transforms.entries()) {
      const inputs = [...new Set(picks.map((pick) => (nodes[pick % nodes.length] as PipelineNode).id))]
      nodes.push(inputs.length === 1 ? filter(`t${i}`, ...inputs) : sql(`t${i}`, ...inputs))
    }
    const read = new Set(nodes.flatMap(({ inputs }) => inputs))
    for (const [i, node] of nodes.filter(({ id }) => !read.has(id)).entries()) nodes.push(objects(`o${i}`, node.id))
    return nodes
      .map((node) => ({ node, key: seed.next().value }))
      .sort((a, b) => a.key - b.key)
      .map(({ node }) => node)
  })

interface Breakage {
  readonly break: (
    nodes: Nodes,
    at: (role: string) => PipelineNode
  ) => { nodes: Nodes; culprit: string; expected: RegExp }
}

const replaced = (nodes: Nodes, old: PipelineNode, change: Partial<PipelineNode>): Nodes =>
  nodes.map((node) => (node === old ? { ...node, ...change } : node))

/** Each breaks a pipeline in one way, and says which node is to be named and how. */
const BREAKAGES: Readonly<Record<string, Breakage['break']>> = {
  'a bad id': (nodes, at) => {
    const sink = at('object')
    return { nodes: replaced(nodes, sink, { id: '1 x' }), culprit: '1 x', expected: /must be a letter/ }
  },
  'an id twice': (nodes, at) => {
    const sink = at('object')
    return { nodes: [...nodes, sink], culprit: sink.id, expected: /is the id of another node/ }
  },
  'an id in other letters': (nodes, at) => {
    const sink = at('object')
    const again = { ...sink, id: sink.id.toUpperCase() }
    return { nodes: [...nodes, again], culprit: again.id, expected: /in other letters only/ }
  },
  'an unknown type': (nodes, at) => {
    const sink = at('object')
    return {
      nodes: replaced(nodes, sink, { type: 'teleport' }),
      culprit: sink.id,
      expected: /there is no type teleport/
    }
  },
  'a source with an input': (nodes, at) => {
    const source = at('generate')
    const more = [...nodes, generate('extra')]
    return {
      nodes: replaced(more, source, { inputs: ['extra'] }),
      culprit: source.id,
      expected: /generate takes no inputs/
    }
  },
  'a sink that is read': (nodes, at) => {
    const sink = at('object')
    return { nodes: [...nodes, objects('late', sink.id)], culprit: sink.id, expected: /late can't have it as input/ }
  },
  'a transform without input': (nodes) => {
    return { nodes: [...nodes, filter('f'), objects('p', 'f')], culprit: 'f', expected: /filter needs an input/ }
  },
  'a transform that goes nowhere': (nodes, at) => {
    const end = filter('end', at('generate').id)
    return { nodes: [...nodes, end], culprit: 'end', expected: /no node takes the output/ }
  },
  'a source that goes nowhere': (nodes) => {
    return { nodes: [...nodes, generate('alone')], culprit: 'alone', expected: /no node takes the output of generate/ }
  },
  'too many inputs': (nodes, at) => {
    const first = at('generate').id
    const more = [...nodes, generate('more'), filter('f', first, 'more'), objects('p', 'f')]
    return { nodes: more, culprit: 'f', expected: /filter takes 1 input, not 2/ }
  },
  'an input that is not there': (nodes, at) => {
    const sink = at('object')
    const broken = replaced(nodes, sink, { inputs: [...sink.inputs, 'ghost'] })
    return { nodes: broken, culprit: sink.id, expected: /there is no node ghost/ }
  },
  'an input twice': (nodes, at) => {
    const sink = at('object')
    const broken = replaced(nodes, sink, { inputs: [...sink.inputs, ...sink.inputs] })
    return { nodes: broken, culprit: sink.id, expected: /as input twice/ }
  },
  'its own input': (nodes, at) => {
    const more = [...nodes, sql('selfish', at('generate').id, 'selfish'), objects('p', 'selfish')]
    return { nodes: more, culprit: 'selfish', expected: /can't be an input of itself/ }
  },
  'a cycle': (nodes, at) => {
    const more = [...nodes, sql('a', at('generate').id, 'c'), filter('b', 'a'), filter('c', 'b'), objects('p', 'c')]
    return { nodes: more, culprit: 'a', expected: /is in a cycle: (a → b → c → a|b → c → a → b|c → a → b → c)$/ }
  },
  'a field that is not known': (nodes, at) => {
    const sink = at('object')
    const broken = replaced(nodes, sink, { config: { ...sink.config, colour: 'red' } })
    return { nodes: broken, culprit: sink.id, expected: /is not a field/ }
  },
  'a field that is missing': (nodes, at) => {
    const { bucket: _bucket, ...config } = at('object').config
    return { nodes: replaced(nodes, at('object'), { config }), culprit: at('object').id, expected: /is required/ }
  },
  'a configuration that is no object': (nodes, at) => {
    const broken = replaced(nodes, at('object'), { config: [] as never })
    return { nodes: broken, culprit: at('object').id, expected: /must be a JSON object/ }
  },
  'what no schema can say': (nodes, at) => {
    const config = { window: '1 fortnight', time: 't', select: { n: 'count(*)' } }
    const window: PipelineNode = { id: 'w', type: 'aggregate', config, inputs: [at('generate').id] }
    return { nodes: [...nodes, window, objects('p', 'w')], culprit: 'w', expected: /unit/ }
  }
}

describe('the graph of a pipeline', () => {
  it('is taken in whatever order its nodes are given', () => {
    fc.assert(fc.property(pipelines, (nodes) => assert.deepEqual(faultsOf(nodes), [])))
  })

  for (const [what, breakIt] of Object.entries(BREAKAGES)) {
    it(`is refused with ${what}, naming the node`, () => {
      const property = fc.property(pipelines, fc.nat(), (nodes, pick) => {
        const at = (type: string) => {
          const some = nodes.filter((node) => node.type === type)
          return some[pick % some.length] as PipelineNode
        }
        const broken = breakIt(nodes, at)
        const faults = faultsOf(broken.nodes)
        const told = faults.find(({ message }) => broken.expected.test(message))
        assert.ok(told, JSON.stringify(faults))
        const [, index] = /^\/nodes\/(\d+)/.exec(told.pointer) ?? []
        assert.equal(broken.nodes[Number(index)]?.id, broken.culprit)
        assert.ok(told.message.startsWith(`${broken.culprit}: `), told.message)
      })
      fc.assert(property, { numRuns: 30 })
    })
  }

  it('is refused without a source and without a sink', () => {
    const messages = graphFaults([filter('a', 'b'), filter('b', 'a')]).map(({ message }) => message)
    assert.ok(messages.includes('there is no source'))
    assert.ok(messages.includes('there is no sink'))
    assert.equal(messages.filter((message) => message.includes('cycle')).length, 1)
  })

  it('is told every cycle, and no node in two', () => {
    const nodes = [
      sql('a', 'b', 'g'),
      filter('b', 'a'),
      sql('c', 'd', 'g'),
      filter('d', 'c'),
      generate('g'),
      objects('o', 'b', 'd')
    ]
    const cycles = graphFaults(nodes).filter(({ message }) => message.includes('cycle'))
    assert.deepEqual(
      cycles.map(({ pointer }) => pointer),
      ['/nodes/0/inputs', '/nodes/2/inputs']
    )
  })

  it('is looked through in good time, however tangled', async () => {
    const nodes = Array.from({ length: 200 }, (_, i) => {
      return sql(`n${i}`, ...Array.from({ length: 64 }, (_, k) => `n${(i * 7 + k * 13) % 200}`))
    })
    assert.ok((await within(2000, () => faultsOf(nodes))).length > 0)
  })

  it('gives no answer that depends on names that objects have anyway', () => {
    for (const id of ['constructor', 'toString', 'hasOwnProperty', 'valueOf']) {
      assert.deepEqual(faultsOf([generate(id), objects('o', id)]), [])
      assert.match(
        graphFaults([{ ...generate('g'), type: id }, objects('o', 'g')])[0]?.message ?? '',
        /there is no type/
      )
    }
  })
})
