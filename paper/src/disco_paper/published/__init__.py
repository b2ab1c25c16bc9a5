"""The indices as the DISCO paper's own programs compute them, deviations and all.

They exist to reproduce the paper's numbers. The indices by their original definitions are in
`disco_cvi.indices`.
"""
