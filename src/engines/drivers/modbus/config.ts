import type { SourceFacts } from '../catalogue/facts.ts'
import type { SourceConfig } from '../index.ts'
import { configSchema, hostField, portField } from '../machines/fields.ts'
import type { JsonSchema, ListSchema } from '../schema.ts'
import { BYTE_ORDERS, isBits, REGISTER_TYPES, type Register, TABLES } from './registers.ts'

const USUAL_PORT = 502
const USUAL_UNIT = 1
const MAX_LISTED = 1000
const MAX_TEXT_REGISTERS = 125

export interface ModbusSettings {
  readonly host: string
  readonly port: number
  readonly unit: number
  readonly registers: readonly Register[]
}

type GivenRegister = Pick<Register, 'name' | 'table' | 'address'> & Partial<Register>

export function settingsOf(given: SourceConfig): ModbusSettings {
  const {
    host,
    port = USUAL_PORT,
    unit = USUAL_UNIT,
    registers
  } = given as unknown as Partial<ModbusSettings> & {
    host: string
    registers: readonly GivenRegister[]
  }
  return { host, port, unit, registers: registers.map(withDefaults) }
}

const withDefaults = ({ name, table, address, ...given }: GivenRegister): Register => ({
  name,
  table,
  address,
  type: isBits(table) ? 'bool' : (given.type ?? 'uint16'),
  order: given.order ?? 'ABCD',
  scale: given.scale ?? 1,
  length: given.length ?? 1
})

export const modbusSchema = ({ name }: SourceFacts): JsonSchema =>
  configSchema(name, ['host', 'registers'], {
    host: hostField('Name or address of the device or of its gateway', 'plc1.plant.example'),
    port: portField('Port of Modbus TCP', USUAL_PORT),
    unit: {
      type: 'integer',
      title: 'Unit',
      description:
        'Number of the device behind a gateway, also called slave or station; devices with a network of their own mostly ignore it',
      default: USUAL_UNIT,
      minimum: 0,
      maximum: 255,
      'x-group': 'place'
    },
    registers: REGISTERS
  })

const REGISTERS: ListSchema = {
  type: 'array',
  title: 'Registers',
  description: 'What is read, from the manual of the device; each is a column of the stream `registers`',
  minItems: 1,
  maxItems: MAX_LISTED,
  'x-group': 'reading',
  items: {
    type: 'object',
    required: ['name', 'table', 'address'],
    additionalProperties: false,
    properties: {
      name: {
        type: 'string',
        title: 'Name',
        description: 'Name of the column',
        examples: ['temperature'],
        minLength: 1,
        maxLength: 200
      },
      table: {
        type: 'string',
        title: 'Table',
        description: 'Coils and discrete inputs are bits; holding and input registers have 16 bits each',
        enum: TABLES
      },
      address: {
        type: 'integer',
        title: 'Address',
        description: 'Counted from 0, as the protocol does: what a manual calls 40001 is the holding register 0',
        examples: [0],
        minimum: 0,
        maximum: 65_535
      },
      type: {
        type: 'string',
        title: 'Type',
        description:
          'What the registers hold: types of 32 bits have two registers, those of 64 bits four. `bool` of a register is whether it is not 0; coils and discrete inputs are always `bool`',
        enum: REGISTER_TYPES,
        default: 'uint16'
      },
      order: {
        type: 'string',
        title: 'Order of bytes',
        description:
          'How the bytes lie in the registers, with A the most significant: `CDAB` has the lower register first, `BADC` the lower byte of each',
        enum: BYTE_ORDERS,
        default: 'ABCD'
      },
      scale: {
        type: 'number',
        title: 'Scale',
        description: 'What numbers are multiplied by, such as 0.1 where the device counts tenths of a degree',
        default: 1
      },
      length: {
        type: 'integer',
        title: 'Length',
        description: 'How many registers a text has, with two characters in each',
        default: 1,
        minimum: 1,
        maximum: MAX_TEXT_REGISTERS
      }
    }
  }
}
