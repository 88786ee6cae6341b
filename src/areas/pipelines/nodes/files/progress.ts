import type { Progress } from '../../contract/source.ts'

/** A number of objects, and how large they are together. */
export interface Amount {
  readonly objects: number
  readonly bytes: number
}

export const NOTHING: Amount = { objects: 0, bytes: 0 }

export const plus = (a: Amount, b: Amount): Amount => ({ objects: a.objects + b.objects, bytes: a.bytes + b.bytes })

/**
 * How much of the objects has been put through. What is done is never less than before nor more than all; when the last batch
 * is through it is all, whatever became of objects in the meantime.
 */
export class FileProgress {
  #done: Amount
  /** Unknown where there is no end, or they have not been counted yet. */
  #total: Amount | undefined
  #underWay = 0
  #end: Amount | undefined

  constructor(done: Amount) {
    this.#done = done
  }

  /** How many there are has been found out. */
  counted(total: Amount): void {
    this.#total = total
  }

  /** A batch goes out; what is done when it is through. */
  gives(done: Amount): () => void {
    this.#underWay += 1
    return () => {
      this.#underWay -= 1
      this.reached(done)
    }
  }

  reached({ objects, bytes }: Amount): void {
    this.#done = { objects: Math.max(objects, this.#done.objects), bytes: Math.max(bytes, this.#done.bytes) }
  }

  /** There is no more. */
  ends(done: Amount): void {
    this.#end = done
  }

  get figures(): Progress {
    if (this.#end !== undefined && this.#underWay === 0) {
      this.reached(this.#end)
      this.#total = this.#done
    }
    const total = (what: keyof Amount) =>
      this.#total === undefined ? null : Math.max(this.#total[what], this.#done[what])
    const { objects, bytes } = this.#done
    return { objects: { done: objects, total: total('objects') }, bytes: { done: bytes, total: total('bytes') } }
  }
}
