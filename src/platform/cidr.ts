import { BlockList, isIP } from 'node:net'

export function isCidr(text: string): boolean {
  const [address = '', bits = '', ...rest] = text.split('/')
  const family = isIP(address)
  return family !== 0 && rest.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128)
}

/** Returns a function that says whether an address is in one of the CIDR ranges, IPv4 or IPv6. */
export function cidrMatcher(ranges: string[]): (address: string) => boolean {
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() }
  for (const range of ranges) {
    const [address = '', bits = ''] = range.split('/')
    const family = isIP(address) === 4 ? 'ipv4' : 'ipv6'
    lists[family].addSubnet(address, Number(bits), family)
  }
  return (address) => {
    const plain = address.startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address
    const family = isIP(plain) === 4 ? 'ipv4' : isIP(plain) === 6 ? 'ipv6' : null
    return family !== null && lists[family].check(plain, family)
  }
}
