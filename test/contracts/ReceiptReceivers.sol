// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// Takes every receipt.
contract TakingReceiver {
    function onERC721Received(
        address,
        address,
        uint256,
        bytes calldata
    ) external pure returns (bytes4) {
        return this.onERC721Received.selector;
    }
}

/// Lacks the function that accepts a receipt.
contract RefusingReceiver {}

/// Has the function, and returns a wrong value.
contract WrongReceiver {
    function onERC721Received(
        address,
        address,
        uint256,
        bytes calldata
    ) external pure returns (bytes4) {
        return 0xffffffff;
    }
}

/// Spends all of its gas.
contract BurningReceiver {
    function onERC721Received(address, address, uint256, bytes calldata) external pure {
        while (true) {}
    }
}

interface IReceipts {
    function ownerOf(uint256 tokenId) external view returns (address);

    function transferFrom(address from, address to, uint256 tokenId) external;

    function cancelOrder(uint256 orderIndex) external;
}

/// Accepts a receipt only if it already holds it.
contract CheckingReceiver {
    function onERC721Received(
        address,
        address,
        uint256 tokenId,
        bytes calldata
    ) external view returns (bytes4) {
        require(IReceipts(msg.sender).ownerOf(tokenId) == address(this), "not mine");
        return this.onERC721Received.selector;
    }
}

/// Passes a receipt on while it receives it.
contract PassingReceiver {
    function onERC721Received(
        address,
        address,
        uint256 tokenId,
        bytes calldata
    ) external returns (bytes4) {
        IReceipts(msg.sender).transferFrom(address(this), tx.origin, tokenId);
        return this.onERC721Received.selector;
    }
}

/// Cancels a request while it receives its receipt.
contract CancellingReceiver {
    function onERC721Received(
        address,
        address,
        uint256 tokenId,
        bytes calldata
    ) external returns (bytes4) {
        IReceipts(msg.sender).cancelOrder(tokenId);
        return this.onERC721Received.selector;
    }
}
