import type { Driver } from '../index.ts'
import { modbusSchema, settingsOf } from './config.ts'
import { ModbusSource } from './source.ts'

/** Controllers, meters and drives that speak Modbus TCP. The protocol knows no users and no encryption. */
export const modbusDriver: Driver = {
  schemaFor: modbusSchema,
  placesOf: () => ({}),
  open: async (config, _, { outbound }) => new ModbusSource(settingsOf(config), outbound)
}
