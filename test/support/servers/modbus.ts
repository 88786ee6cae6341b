import { once } from 'node:events'
import { connect } from 'node:net'
import { freePort } from '../free-port.ts'
import { missingFile } from './installed.ts'
import { type Service, startService } from './service.ts'

/** What a device holds: 16 bits in each register, and 0 or 1 in the others. It refuses to read beyond their ends. */
export interface ModbusMemory {
  readonly holding: readonly number[]
  readonly input: readonly number[]
  readonly coil: readonly number[]
  readonly discrete: readonly number[]
}

export interface ModbusDevice {
  readonly host: '127.0.0.1'
  readonly port: number
  stop(): Promise<void>
  /** Starts it again on the same port, with the same values; a running one is killed first. */
  restart(): Promise<void>
}

// The one that Debian's packages are for, whichever comes first in PATH.
const PYTHON = '/usr/bin/python3'
const PACKAGE = '/usr/lib/python3/dist-packages/pymodbus'

const PROGRAM = `
import json, sys
from pymodbus.datastore import ModbusSequentialDataBlock, ModbusServerContext, ModbusSlaveContext
from pymodbus.server import StartTcpServer
port, memory = int(sys.argv[1]), json.loads(sys.argv[2])
block = lambda name: ModbusSequentialDataBlock(0, memory[name])
device = ModbusSlaveContext(di=block("discrete"), co=block("coil"), hr=block("holding"), ir=block("input"), zero_mode=True)
StartTcpServer(context=ModbusServerContext(slaves={1: device}, single=False), address=("127.0.0.1", port))
`

export function missingModbus(): string | undefined {
  return missingFile('python3-pymodbus', PACKAGE)
}

/** A device that is unit 1 of its gateway. */
export async function startModbus(folder: string, memory: ModbusMemory): Promise<ModbusDevice> {
  const port = await freePort()
  const args = ['-c', PROGRAM, String(port), JSON.stringify(memory)]
  const launch = () => startService({ command: PYTHON, args, folder }, () => accepts(port))
  let service: Service = await launch()
  return {
    host: '127.0.0.1',
    port,
    stop: () => service.stop(),
    async restart() {
      await service.stop('SIGKILL')
      service = await launch()
    }
  }
}

async function accepts(port: number): Promise<true> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.destroy()
  return true
}
