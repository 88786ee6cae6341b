import { OneOf } from '../../../http/schemas.ts'
import { type Static, Type } from '../../../http/type.ts'
import type { NodeType } from '../contract/node-type.ts'
import { NODE_TYPES } from '../nodes/index.ts'

const NodeTypeView = Type.Object(
  {
    type: Type.String({ description: 'What stands in `type` of a node' }),
    role: OneOf(['source', 'transform', 'sink'], 'Where such a node stands'),
    about: Type.String(),
    inputs: Type.Object({ min: Type.Integer(), max: Type.Integer() }),
    delivery: Type.Optional(
      OneOf(['exactly-once', 'at-least-once'], 'Of sinks: whether what was written once stays once, whatever happens')
    ),
    accounting: Type.Optional(
      OneOf(['maps', 'filters', 'reshapes'], 'Of transforms: one record of each, some of them, or others of many')
    ),
    config: Type.Unsafe<object>({ description: 'JSON Schema of its configuration' })
  },
  {
    $id: 'NodeType',
    examples: [
      {
        type: 'filter',
        role: 'transform',
        about: 'Lets records go on for which a condition holds.',
        inputs: { min: 1, max: 1 },
        accounting: 'filters',
        config: { type: 'object', required: ['where'], properties: { where: { type: 'string' } } }
      }
    ]
  }
)
type NodeTypeView = Static<typeof NodeTypeView>

export const NodeTypes = Type.Array(NodeTypeView)

export const nodeTypes = (): NodeTypeView[] => NODE_TYPES.map(toView)

function toView(node: NodeType): NodeTypeView {
  const { type, role, about, inputs, config } = node
  return {
    type,
    role,
    about,
    inputs,
    ...(node.role === 'sink' && { delivery: node.delivery }),
    ...(node.role === 'transform' && { accounting: node.accounting }),
    config
  }
}
