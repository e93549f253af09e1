package pairing
