// A server of OPC UA with a few variables, and one with a history: `node opcua-main.mjs <packages> <folder> <port> <points>`.
// It says that it is elsewhere, as servers behind other networks do; whoever follows that ends nowhere.
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const HOST = '127.0.0.1'
const ELSEWHERE = 'elsewhere.invalid'
const START_MS = Date.UTC(2026, 2, 1)

const [packages, folder, port, points] = process.argv.slice(2)
const require = createRequire(join(packages, 'package.json'))
const load = (name) => import(pathToFileURL(require.resolve(name)).href)
const { OPCUAServer } = await load('node-opcua-server')
const { DataType, Variant, VariantArrayType } = await load('node-opcua-variant')
const { StatusCodes } = await load('node-opcua-status-code')
const { OPCUACertificateManager } = await load('node-opcua-certificate-manager')

const certificates = new OPCUACertificateManager({
  rootFolder: join(folder, 'pki'),
  automaticallyAcceptUnknownCertificate: true
})
await certificates.initialize()
const server = new OPCUAServer({
  port: Number(port),
  host: HOST,
  hostname: ELSEWHERE,
  resourcePath: '/UA',
  serverCertificateManager: certificates,
  userCertificateManager: certificates,
  allowAnonymous: false,
  userManager: { isValidUser: (user, password) => user === 'reader' && password === 'reader-pass' }
})
await server.initialize()
const space = server.engine.addressSpace
const own = space.getOwnNamespace()
const line = own.addObject({ organizedBy: space.rootFolder.objects, browseName: 'Line' })
const press = own.addObject({ componentOf: line, browseName: 'Press' })

const values = {
  Boolean: true,
  SByte: -1,
  Byte: 255,
  Int16: -5,
  UInt16: 65_535,
  Int32: -70_000,
  UInt32: 4_000_000_000,
  Int64: [0xffffffff, 0xfffffffe],
  UInt64: [0xffffffff, 0xffffffff],
  Float: 0.5,
  Double: Math.PI,
  String: 'Größe "7"',
  DateTime: new Date(START_MS),
  ByteString: Buffer.from('ab')
}
for (const [type, value] of Object.entries(values)) {
  own.addVariable({
    componentOf: press,
    browseName: type,
    nodeId: `s=${type}`,
    dataType: type,
    value: { dataType: DataType[type], arrayType: VariantArrayType.Scalar, value }
  })
}
own.addVariable({
  componentOf: press,
  browseName: 'Array',
  nodeId: 's=Array',
  dataType: 'Double',
  valueRank: 1,
  value: { dataType: DataType.Double, arrayType: VariantArrayType.Array, value: [1, 2.5] }
})
const history = own.addVariable({
  componentOf: line,
  browseName: 'History',
  nodeId: 's=History',
  dataType: 'Double',
  historizing: true
})
space.installHistoricalDataNode(history, { maxOnlineValues: Number(points) + 1 })
for (let n = 0; n < Number(points); n++) {
  const value = new Variant({ dataType: DataType.Double, value: n + 1 })
  history.setValueFromSource(value, StatusCodes.Good, new Date(START_MS + n))
}
await server.start()
console.log('listening')
