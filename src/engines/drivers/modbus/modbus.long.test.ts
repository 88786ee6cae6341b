import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type ModbusDevice, missingModbus, startModbus } from '../../../../test/support/servers/modbus.ts'
import { makeFolder } from '../../../../test/support/servers/service.ts'
import { createOutbound } from '../../outbound/index.ts'
import { driverOf, findSource, type SourceFacts, type StreamChunk } from '../index.ts'
import { driverContract } from '../testing/contract.ts'

const REGISTERS = 200

const register = (name: string, table: string, address: number, more: object = {}) => ({
  name,
  table,
  address,
  ...more
})

driverContract('Modbus TCP as a source', {
  sourceId: 'modbus',
  missing: missingModbus(),
  async start() {
    const memory = { holding: [0], input: [0, 0, 0, 0x10000 - 215], coil: [0], discrete: [0, 1] }
    const { host, port, stop, restart } = await startModbus(makeFolder('drivers-modbus'), memory)
    const config = {
      host,
      port,
      registers: [
        register('temperature', 'input', 3, { type: 'int16', scale: 0.1 }),
        register('running', 'discrete', 1)
      ]
    }
    const absent = [register('pressure', 'input', 3), register('nowhere', 'holding', 65_535)]
    const twice = [register('a', 'input', 1), register('A', 'input', 2)]
    return {
      config,
      secrets: [],
      steps: ['resolve', 'policy', 'connect', 'read'],
      wrong: {
        'a name that is none': fault({ host: 'nowhere.invalid' }, 'resolve', 'unknown_host', '/host'),
        'a closed port': fault({ port: 1 }, 'connect', 'unreachable', '/port'),
        'a unit that is not there': fault({ unit: 9 }, 'read', 'timeout', '/unit'),
        'a register that is not there': fault({ registers: absent }, 'read', 'not_found', '/registers'),
        'a name for two registers': fault({ registers: twice }, 'read', 'bad_request', '/registers')
      },
      stream: {
        name: 'registers',
        kind: 'points',
        columns: ['time timestamptz', 'temperature double', 'running boolean'],
        keys: [],
        cursors: [],
        column: 'temperature',
        values: [-21.5]
      },
      stop,
      restart
    }
  }
})

const fault = (changes: object, step: 'resolve' | 'connect' | 'read', code: string, pointer: string) => ({
  changes: changes as Record<string, unknown>,
  step,
  code,
  pointer
})

describe('registers of a device', { skip: missingModbus() ?? false }, () => {
  let device: ModbusDevice
  const holding = Buffer.alloc(REGISTERS * 2)
  const outbound = createOutbound({ allowPrivateNetworks: true, allowedHosts: [] })
  before(async () => {
    holding.writeInt16BE(-2, 0)
    holding.writeUInt16BE(65_535, 2)
    holding.writeInt32BE(-70_000, 4)
    holding.writeUInt32BE(4_000_000_000, 8)
    holding.writeBigInt64BE(-(2n ** 62n) - 1n, 12)
    holding.writeBigUInt64BE(2n ** 64n - 1n, 20)
    holding.writeFloatBE(0.5, 28)
    holding.writeDoubleBE(Math.PI, 32)
    holding.write('Press 7\0ignored', 40, 'latin1')
    holding.writeUInt16BE(2, 60)
    holding.writeUInt16BE(7, (REGISTERS - 1) * 2)
    const words = Array.from({ length: REGISTERS }, (_, at) => holding.readUInt16BE(at * 2))
    const coil = Array.from({ length: 20 }, (_, at) => (at === 10 ? 1 : 0))
    device = await startModbus(makeFolder('registers-modbus'), { holding: words, input: [0], coil, discrete: [0] })
  })
  after(async () => {
    await device.stop()
    await outbound.close()
  })

  async function readOnce(registers: readonly object[]): Promise<Record<string, unknown>> {
    const source = findSource('modbus') as SourceFacts
    const { host, port } = device
    const opened = await (await driverOf(source)).open({ host, port, registers }, source, {
      outbound,
      packagesFolder: '/nowhere'
    })
    const chunks: StreamChunk[] = []
    for await (const chunk of opened.read({ stream: 'registers', signal: AbortSignal.timeout(10_000) }))
      chunks.push(chunk)
    await opened.close()
    assert.deepEqual([chunks.length, chunks[0]?.rows], [1, 1])
    const { columns = [], values = [] } = chunks[0] ?? {}
    return Object.fromEntries(columns.map(({ name }, at) => [name, values[at]?.[0]]))
  }

  it('are read as what they are, of every type, with the time of the reading', async () => {
    const before = Date.now()
    const { time, ...values } = await readOnce([
      register('int16', 'holding', 0, { type: 'int16' }),
      register('uint16', 'holding', 1),
      register('int32', 'holding', 2, { type: 'int32' }),
      register('uint32', 'holding', 4, { type: 'uint32' }),
      register('int64', 'holding', 6, { type: 'int64' }),
      register('uint64', 'holding', 10, { type: 'uint64' }),
      register('float32', 'holding', 14, { type: 'float32' }),
      register('float64', 'holding', 16, { type: 'float64' }),
      register('text', 'holding', 20, { type: 'text', length: 8 }),
      register('bool', 'holding', 30, { type: 'bool' }),
      register('on', 'coil', 10, { type: 'int16' }),
      register('off', 'coil', 11)
    ])
    assert.deepEqual(values, {
      int16: -2,
      uint16: 65_535,
      int32: -70_000,
      uint32: 4_000_000_000n,
      int64: -(2n ** 62n) - 1n,
      uint64: 2n ** 64n - 1n,
      float32: 0.5,
      float64: Math.PI,
      text: 'Press 7',
      bool: true,
      on: true,
      off: false
    })
    const at = Date.parse(`${time}Z`)
    assert.ok(at >= before && at <= Date.now(), String(time))
  })

  it('that are not there are empty, and leave their neighbours alone', async () => {
    const { last, beyond, far } = await readOnce([
      register('last', 'holding', 199),
      register('beyond', 'holding', 200),
      register('far', 'input', 60_000)
    ])
    assert.deepEqual([last, beyond, far], [7, null, null])
  })

  it('of which there are a thousand are read with few questions', async () => {
    const registers = Array.from({ length: 1000 }, (_, n) => register(`r${n}`, 'holding', n % 200))
    const values = await readOnce(registers)
    assert.equal(Object.keys(values).length, 1001)
    assert.equal(values.r999, 7)
  })
})
