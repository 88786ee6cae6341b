type Point = { readonly x: number; readonly y: number }
type Geometry = Point | Geometry[] | null

/** A geometry as the driver gives it for a query: after its reference system comes the usual binary form. */
export function geometryJson(bytes: Buffer): string {
  let at = 4
  const number = (isLittle: boolean) => {
    at += 4
    return isLittle ? bytes.readUInt32LE(at - 4) : bytes.readUInt32BE(at - 4)
  }
  const double = (isLittle: boolean) => {
    at += 8
    return isLittle ? bytes.readDoubleLE(at - 8) : bytes.readDoubleBE(at - 8)
  }
  const point = (isLittle: boolean): Point => ({ x: double(isLittle), y: double(isLittle) })
  const line = (isLittle: boolean): Point[] => Array.from({ length: number(isLittle) }, () => point(isLittle))
  const read = (): Geometry => {
    const isLittle = bytes[at++] === 1
    switch (number(isLittle)) {
      case 1:
        return point(isLittle)
      case 2:
        return line(isLittle)
      case 3:
        return Array.from({ length: number(isLittle) }, () => line(isLittle))
      default:
        return Array.from({ length: number(isLittle) }, read)
    }
  }
  return JSON.stringify(bytes.length <= 4 ? null : read())
}
