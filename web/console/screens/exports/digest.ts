import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'

const PIECE_BYTES = 1024 * 1024

/**
 * The SHA-256 of a file, in hex as a manifest has it. One piece of it is in memory at a time.
 * @param onRead gets the share that was read so far, from 0 to 1
 * @throws DOMException if the file was moved or changed after it was chosen
 */
export async function digestOf(file: Blob, onRead: (share: number) => void): Promise<string> {
  const hash = sha256.create()
  for (let from = 0; from < file.size; from += PIECE_BYTES) {
    const piece = await file.slice(from, from + PIECE_BYTES).arrayBuffer()
    hash.update(new Uint8Array(piece))
    onRead((from + piece.byteLength) / file.size)
  }
  return bytesToHex(hash.digest())
}
