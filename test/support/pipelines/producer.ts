/** Makes numbers at a steady pace until it is told to stop. */
export interface Producer {
  /** How many there are once it has stopped. */
  stop(): number
}

export function produce(everyMs: number, give: (n: number) => void): Producer {
  let next = 0
  const timer = setInterval(() => give(next++), everyMs)
  return {
    stop() {
      clearInterval(timer)
      return next
    }
  }
}
