/** Rows with amounts around a mean, in shops of which there are as many as weights. */
export function orders(mean: number, weights: readonly number[], count = 400): string {
  const shops = weights.flatMap((weight, at) => Array(weight).fill(`shop ${at}`))
  const rows = Array.from(
    { length: count },
    (_, at) => `${at},${(mean + (at % 41) - 20).toFixed(1)},${shops[at % shops.length]}`
  )
  return ['id,amount,shop', ...rows].join('\n')
}

const STATES = ['new', 'paid', 'sent', 'back']
const FIRST = ['Ada', 'Bo', 'Cyril', 'Dora', 'Evelyn']
const LAST = ['King', 'Li', 'Moss', 'Nagy', 'Olsen', 'Pitt', 'Quine']

/** A hundred orders, with columns of which there is something to say and others of which there is nothing. */
export const ORDERS = [
  'id,sku,state,amount,weight,note,customer,sold,mean',
  ...Array.from({ length: 100 }, (_, at) =>
    [
      1000 + at,
      `AB-${1000 + at}`,
      STATES[at % 4],
      ((at * 37) % 100) / 4,
      at === 50 ? 1e6 : at % 30,
      `Note number ${at} of ${'word '.repeat(at % 7)}`,
      at % 3 === 0 ? '' : `${FIRST[at % FIRST.length]} ${LAST[at % LAST.length]}`,
      new Date(Date.now() - (100 - at) * 60_000).toISOString(),
      Math.sqrt(at) - 5
    ].join(',')
  )
].join('\n')
