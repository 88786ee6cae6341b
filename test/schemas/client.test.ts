import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { COMPATIBILITY, SchemaRegistry, SchemaType } from '@kafkajs/confluent-schema-registry'
import { type Registry, startRegistry } from './registry.ts'

/** A client of Kafka's users, as it is. */
describe('the registry to @kafkajs/confluent-schema-registry', () => {
  let registry: Registry
  let key: string
  before(async () => {
    registry = await startRegistry()
    const made = await registry.test.call('POST', '/api/api-keys', { as: 'editor', body: { name: 'producer' } })
    key = made.body.key
  })
  after(() => registry.test.close())

  const connect = (password = key, options = {}) =>
    new SchemaRegistry({ host: registry.url, auth: { username: 'anybody', password }, retry: { retries: 0 } }, options)

  const order = {
    type: 'record',
    name: 'Order',
    namespace: 'shop',
    fields: [
      { name: 'id', type: 'long' },
      { name: 'note', type: ['null', 'string'], default: null }
    ]
  }
  const avro = (schema: object, references: { name: string; subject: string; version: number }[] = []) =>
    ({ type: SchemaType.AVRO, schema: JSON.stringify(schema), references }) as const

  it('registers, finds and reads back Avro', async () => {
    const producer = connect()
    const { id } = await producer.register(avro(order))
    assert.equal((await producer.register(avro(order))).id, id)
    assert.equal(await producer.getLatestSchemaId('shop.Order'), id)
    assert.equal(await producer.getRegistryId('shop.Order', 1), id)
    assert.equal(await producer.getRegistryIdBySchema('shop.Order', avro(order)), id)
    const message = await producer.encode(id, { id: 5, note: 'ä' })
    assert.deepEqual({ ...(await connect().decode(message)) }, { id: 5, note: 'ä' })
  })

  it('takes a token of the issuer for a password too', async () => {
    const client = connect(await registry.test.token('reader', 'viewer'))
    assert.ok(await client.getLatestSchemaId('shop.Order'))
    await assert.rejects(client.register(avro({ ...order, name: 'Denied' })), { status: 403 })
    await assert.rejects(connect('wrong').getLatestSchemaId('shop.Order'), { status: 401, unauthorized: true })
  })

  it('hears of what is incompatible', async () => {
    const client = connect()
    const broken = { ...order, fields: [...order.fields, { name: 'added', type: 'int' }] }
    await assert.rejects(client.register(avro(broken)), (error: Error & { status: number }) => {
      assert.equal(error.status, 409)
      assert.match(error.message, /incompatible with an earlier schema for subject "shop\.Order".*added/)
      return true
    })
    await assert.rejects(client.register(avro(order), { compatibility: COMPATIBILITY.FULL }), {
      name: 'ConfluentSchemaRegistryCompatibilityError'
    })
    const invalid = avro({ type: 'record', name: 'Invalid', fields: [{ name: 'a', type: 'int', default: 'x' }] })
    await assert.rejects(client.register(invalid, { subject: 'invalid' }))
    await assert.rejects(client.getRegistryIdBySchema('shop.Order', avro(broken)), {
      name: 'ConfluentSchemaRegistryError'
    })
  })

  it('registers and reads back JSON Schema', async () => {
    const schema = JSON.stringify({ type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] })
    const producer = connect()
    const { id } = await producer.register({ type: SchemaType.JSON, schema }, { subject: 'json-value' })
    const message = await producer.encode(id, { id: 7 })
    assert.deepEqual(await connect().decode(message), { id: 7 })
    await assert.rejects(producer.encode(id, { id: 'seven' }))
  })

  it('registers and reads back Protobuf', async () => {
    const schema = 'syntax = "proto3";\npackage shop;\nmessage Item {\n  int32 id = 1;\n  string name = 2;\n}\n'
    const producer = connect()
    const { id } = await producer.register({ type: SchemaType.PROTOBUF, schema }, { subject: 'item-value' })
    const message = await producer.encode(id, { id: 9, name: 'ü' })
    assert.deepEqual({ ...(await connect().decode(message)) }, { id: 9, name: 'ü' })
  })

  it('follows references in Avro', async () => {
    const producer = connect()
    const address = { type: 'record', name: 'Address', namespace: 'shop', fields: [{ name: 'city', type: 'string' }] }
    const customer = {
      type: 'record',
      name: 'Customer',
      namespace: 'shop',
      fields: [{ name: 'home', type: 'shop.Address' }]
    }
    await producer.register(avro(address), { subject: 'address' })
    const references = [{ name: 'shop.Address', subject: 'address', version: 1 }]
    const { id } = await producer.register(avro(customer, references), { subject: 'customer' })
    const message = await producer.encode(id, { home: { city: 'Ulm' } })
    assert.equal((await connect().decode(message)).home.city, 'Ulm')
  })

  it('follows references in Protobuf and JSON Schema', async () => {
    const producer = connect()
    const inner = 'syntax = "proto3";\npackage shop;\nmessage Money {\n  int64 cents = 1;\n}\n'
    const outer = 'syntax = "proto3";\npackage shop;\nimport "money.proto";\nmessage Invoice {\n  Money total = 1;\n}\n'
    await producer.register({ type: SchemaType.PROTOBUF, schema: inner }, { subject: 'money' })
    const references = [{ name: 'money.proto', subject: 'money', version: 1 }]
    const invoice = { type: SchemaType.PROTOBUF, schema: outer, references } as const
    const { id } = await producer.register(invoice, { subject: 'invoice' })
    const message = await producer.encode(id, { total: { cents: 250 } })
    assert.equal(Number((await connect().decode(message)).total.cents), 250)

    const city = JSON.stringify({ $id: 'https://shop.test/city.json', type: 'string' })
    const place = JSON.stringify({
      $id: 'https://shop.test/place.json',
      type: 'object',
      properties: { city: { $ref: 'https://shop.test/city.json' } }
    })
    await producer.register({ type: SchemaType.JSON, schema: city }, { subject: 'city' })
    const toCity = [{ name: 'https://shop.test/city.json', subject: 'city', version: 1 }]
    const json = { type: SchemaType.JSON, schema: place, references: toCity } as const
    const { id: placeId } = await producer.register(json, { subject: 'place' })
    assert.deepEqual(await connect().decode(await producer.encode(placeId, { city: 'Ulm' })), { city: 'Ulm' })
  })
})
