// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

struct Attestation {
    string uuid;
    uint256 expiration;
    address attester;
    bytes signature;
}

/// The form of a depositor's `deposit`; `NONE` if there is no depositor.
enum DepositForm {
    NONE,
    PLAIN,
    ATTESTED
}

interface IDepositor {
    function boringVault() external view returns (address);
}

/// Depositors created until about 2026-02.
interface IPlainDepositor is IDepositor {
    function deposit(
        address depositAsset,
        uint256 depositAmount,
        uint256 minimumMint,
        address to,
        bytes calldata distributorCode
    ) external returns (uint256 shares);
}

interface IAttestedDepositor is IDepositor {
    function deposit(
        address depositAsset,
        uint256 depositAmount,
        uint256 minimumMint,
        address to,
        bytes calldata distributorCode,
        Attestation calldata attestation
    ) external returns (uint256 shares);
}
