// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

struct TransitRoute {
    uint32 destEID;
    address offerAsset;
    address wantAsset;
}

/// What a quote signer of Transit signs. Amounts are base units of the offered token.
struct TransitQuote {
    TransitRoute route;
    uint256 offerAmount;
    address receiver;
    uint256 protocolFee;
    uint256 integratorFee;
    address integratorFeeReceiver;
    bytes32 distributorCode;
    uint256 deadline;
    bytes32 salt;
}

interface ITransitStation {
    /// Takes the offer from the caller. An excess of coins comes back to the caller.
    function submitOrder(
        TransitQuote calldata quote,
        bytes calldata signature
    ) external payable returns (bytes32 orderId);
}
