// Channels of a station (COMCHA), as charts and sailing directions print them.

/** `VHF 16, 12` from `[VHF0016];[VHF0012]`; `16, 12` from `[16];[12]`. */
export function channelsText(comcha: string): string {
  const channels = comcha.replace(/[[\]]/g, '').split(/\s*[;,]\s*/);
  const numbers = channels.map((channel) => channel.trim().replace(/^(?:VHF)?\s*0*(?=\d)/i, ''));
  return `${/VHF/i.test(comcha) ? 'VHF ' : ''}${numbers.filter((one) => one !== '').join(', ')}`;
}
