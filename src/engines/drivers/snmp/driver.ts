import type { Driver } from '../index.ts'
import { placesOf, settingsOf, snmpSchema } from './config.ts'
import { SnmpSource } from './source.ts'

/** Switches, sensors, power supplies and whatever else has an agent of SNMP. */
export const snmpDriver: Driver = {
  schemaFor: snmpSchema,
  placesOf,
  open: async (config, _, { outbound }) => new SnmpSource(settingsOf(config), outbound)
}
