// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

interface IReceiptHolder {
    function onERC721Received(
        address operator,
        address from,
        uint256 tokenId,
        bytes calldata data
    ) external returns (bytes4);
}

/// ERC-721 without token metadata.
abstract contract Receipts {
    event Transfer(address indexed from, address indexed to, uint256 indexed tokenId);
    event Approval(address indexed owner, address indexed approved, uint256 indexed tokenId);
    event ApprovalForAll(address indexed owner, address indexed operator, bool approved);

    error ERC721NonexistentToken(uint256 tokenId);
    error ERC721InvalidReceiver(address receiver);
    error ERC721IncorrectOwner(address sender, uint256 tokenId, address owner);
    error ERC721InsufficientApproval(address operator, uint256 tokenId);

    string public name;
    string public symbol;
    uint256 public totalSupply;
    mapping(address account => uint256) public balanceOf;
    mapping(uint256 tokenId => address) private owners;
    mapping(uint256 tokenId => address) private approvals;
    mapping(address account => mapping(address operator => bool)) public isApprovedForAll;

    constructor(string memory name_, string memory symbol_) {
        name = name_;
        symbol = symbol_;
    }

    function supportsInterface(bytes4 interfaceId) external pure returns (bool) {
        return interfaceId == 0x01ffc9a7 || interfaceId == 0x80ac58cd;
    }

    function ownerOf(uint256 tokenId) public view returns (address holder) {
        holder = owners[tokenId];
        if (holder == address(0)) revert ERC721NonexistentToken(tokenId);
    }

    function getApproved(uint256 tokenId) public view returns (address) {
        ownerOf(tokenId);
        return approvals[tokenId];
    }

    function approve(address to, uint256 tokenId) external {
        address holder = ownerOf(tokenId);
        if (msg.sender != holder && !isApprovedForAll[holder][msg.sender])
            revert ERC721InsufficientApproval(msg.sender, tokenId);
        approvals[tokenId] = to;
        emit Approval(holder, to, tokenId);
    }

    function setApprovalForAll(address operator, bool approved) external {
        isApprovedForAll[msg.sender][operator] = approved;
        emit ApprovalForAll(msg.sender, operator, approved);
    }

    function transferFrom(address from, address to, uint256 tokenId) public {
        if (to == address(0)) revert ERC721InvalidReceiver(to);
        address holder = ownerOf(tokenId);
        if (
            msg.sender != holder &&
            msg.sender != approvals[tokenId] &&
            !isApprovedForAll[holder][msg.sender]
        ) revert ERC721InsufficientApproval(msg.sender, tokenId);
        if (holder != from) revert ERC721IncorrectOwner(from, tokenId, holder);
        _move(from, to, tokenId);
    }

    function safeTransferFrom(address from, address to, uint256 tokenId) external {
        safeTransferFrom(from, to, tokenId, "");
    }

    function safeTransferFrom(
        address from,
        address to,
        uint256 tokenId,
        bytes memory data
    ) public {
        transferFrom(from, to, tokenId);
        _requireReceiver(from, to, tokenId, data);
    }

    function _safeMint(address to, uint256 tokenId) internal {
        _move(address(0), to, tokenId);
        _requireReceiver(address(0), to, tokenId, "");
    }

    function _burn(uint256 tokenId) internal {
        _move(ownerOf(tokenId), address(0), tokenId);
    }

    function _move(address from, address to, uint256 tokenId) private {
        delete approvals[tokenId];
        if (from == address(0)) ++totalSupply;
        else --balanceOf[from];
        if (to == address(0)) --totalSupply;
        else ++balanceOf[to];
        owners[tokenId] = to;
        emit Transfer(from, to, tokenId);
    }

    function _requireReceiver(
        address from,
        address to,
        uint256 tokenId,
        bytes memory data
    ) private {
        if (to.code.length == 0) return;
        try IReceiptHolder(to).onERC721Received(msg.sender, from, tokenId, data) returns (
            bytes4 answer
        ) {
            if (answer != IReceiptHolder.onERC721Received.selector)
                revert ERC721InvalidReceiver(to);
        } catch {
            revert ERC721InvalidReceiver(to);
        }
    }
}
