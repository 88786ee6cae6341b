import type { SourceFacts } from './facts.ts'

/** Controllers, devices and what watches over them. */
export const MACHINES: readonly SourceFacts[] = [
  {
    id: 'modbus',
    name: 'Modbus TCP',
    category: 'machines',
    authentication: 'none',
    hint: 'Devices name their registers nowhere: list those that you want from the manual. Reading changes nothing in the device.',
    documentationUrl: 'https://www.modbus.org/modbus-specifications',
    driver: 'modbus',
    defaults: {},
    isProven: true,
    isIncremental: false
  },
  {
    id: 'opcua',
    name: 'OPC UA',
    category: 'machines',
    hint: 'Needs a package that is not shipped; the test says how to add it. Reads current values, and the history of variables that have one.',
    documentationUrl: 'https://reference.opcfoundation.org/',
    driver: 'opcua',
    defaults: {},
    isProven: true
  },
  {
    id: 'snmp',
    name: 'SNMP',
    category: 'machines',
    hint: 'Asks the agent of a device by UDP, in version 2c or 3. A community or user that may only read is enough.',
    documentationUrl: 'https://datatracker.ietf.org/doc/html/rfc3411',
    driver: 'snmp',
    defaults: {},
    isProven: true,
    isIncremental: false
  }
]
