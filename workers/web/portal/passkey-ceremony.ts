// Asks the browser to create or use a passkey. The library is loaded when a passkey is needed.

/** Options of the service, which the browser interprets. */
export type PasskeyOptions = { readonly challenge: string };

export const hasPasskeys = (): boolean => 'PublicKeyCredential' in globalThis;

/** @throws Error if the user cancels, or if the browser refuses */
export const createPasskey = (options: PasskeyOptions): Promise<object> =>
  explained(async () =>
    (await import('@simplewebauthn/browser')).startRegistration({ optionsJSON: options as never }),
  );

/** @throws Error if the user cancels, or if the browser has no passkey of this service */
export const usePasskey = (options: PasskeyOptions): Promise<object> =>
  explained(async () =>
    (await import('@simplewebauthn/browser')).startAuthentication({
      optionsJSON: options as never,
    }),
  );

async function explained(work: () => Promise<object>): Promise<object> {
  try {
    return await work();
  } catch (error) {
    // Browsers give the same error for all reasons, so that pages learn nothing about the user.
    if ((error as Error).name !== 'NotAllowedError') throw error;
    throw new Error(
      'No passkey was used. You cancelled, it took too long, or the browser has no passkey of this service.',
    );
  }
}
