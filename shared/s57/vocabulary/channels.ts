// Channels of a station (COMCHA), as charts and sailing directions print them.

/** `VHF 16, 12` from `[VHF0016];[VHF0012]`; `16, 12` from `[16];[12]`; `undefined` without a channel. */
export function channelsText(comcha: string): string | undefined {
  const channels = comcha.replace(/[[\]]/g, '').split(/\s*[;,]\s*/);
  const numbers = channels.map((channel) =>
    channel
      .trim()
      .replace(/^VHF(?:\b[\s:.-]*|(?=\d|ch))/i, '')
      .replace(/^(?:ch(?:an(?:nel)?)?s?[\s:.-]*)?0*(?=\d)/i, ''),
  );
  const listed = numbers.filter((one) => one !== '').join(', ');
  if (listed === '') return undefined;
  return /VHF/i.test(comcha) ? `VHF ${listed}` : listed;
}
